import { enumerable, expose, named, tagged } from './expose.ts';
import { charCodeAt, create, defineProperty, ErrorClass, toUpperCase } from './primordials.ts';

const NAMES = [
  'IndexSizeError',
  '',
  'HierarchyRequestError',
  'WrongDocumentError',
  'InvalidCharacterError',
  '',
  'NoModificationAllowedError',
  'NotFoundError',
  'NotSupportedError',
  'InUseAttributeError',
  'InvalidStateError',
  'SyntaxError',
  'InvalidModificationError',
  'NamespaceError',
  'InvalidAccessError',
  '',
  'TypeMismatchError',
  'SecurityError',
  'NetworkError',
  'AbortError',
  'URLMismatchError',
  'QuotaExceededError',
  'TimeoutError',
  'InvalidNodeTypeError',
  'DataCloneError',
] as const;

interface Options {
  readonly name?: unknown;
  readonly cause?: unknown;
}

/** An error of the web platform. Unlike the specification's it extends Error in syntax too, for its stack. */
export class DOMException extends ErrorClass {
  readonly #message: string;
  readonly #name: string;

  constructor(message: unknown = '', options: unknown = 'Error') {
    super();
    this.#message = `${message}`;
    if (typeof options === 'object' && options !== null) {
      const bag: Options = options;
      this.#name = `${bag.name ?? 'Error'}`;
      if ('cause' in bag) expose(this, 'cause', bag.cause);
    } else {
      this.#name = `${options}`;
    }
  }
  override get name(): string {
    return this.#name;
  }
  override get message(): string {
    return this.#message;
  }
  get code(): number {
    if (this.#name !== '') for (let i = 0; i < NAMES.length; i++) if (NAMES[i] === this.#name) return i + 1;
    return 0;
  }
}

enumerable(DOMException.prototype, ['name', 'message', 'code']);
tagged(DOMException.prototype, 'DOMException');
for (let i = 0; i < NAMES.length; i++) {
  const constant = legacyName(NAMES[i] ?? '');
  if (constant === '') continue;
  const descriptor: PropertyDescriptor = create(null);
  descriptor.value = i + 1;
  descriptor.enumerable = true;
  defineProperty(DOMException, constant, descriptor);
  defineProperty(DOMException.prototype, constant, descriptor);
}
named(DOMException, 'DOMException');

function legacyName(name: string): string {
  if (name === '') return '';
  if (name === 'URLMismatchError') return 'URL_MISMATCH_ERR';
  let words = '';
  for (let i = 0; i < name.length - 'Error'.length; i++) {
    const capital = charCodeAt(name, i) <= 90;
    words += `${capital && i > 0 ? '_' : ''}${name[i]}`;
  }
  return `${toUpperCase(words)}_ERR`;
}
