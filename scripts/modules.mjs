// The modules of a package: they find each other as .js, and need nothing that is not in it or in its dependencies.
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'acorn';
import { manifest } from './platform.mjs';

/** With `./x.js` where it imports `./x.ts`, and not a character moved. */
export function asJavaScript(code) {
  let text = code;
  for (const { source } of imports(code)) {
    if (!/^\..*\.ts$/.test(source.value)) continue;
    const end = source.end - 1;
    text = `${text.slice(0, end - 3)}.js${text.slice(end)}`;
  }
  return text;
}

/** Throws for what would be missing in the package. */
export function checkReferences(modules, folder) {
  for (const [path, code] of modules) {
    const base = pathToFileURL(path);
    for (const { source } of imports(code)) {
      if (source.value.startsWith('.')) checkFile(new URL(source.value, base), path, folder);
      else checkPackage(source.value, path);
    }
    for (const file of filesBeside(code)) checkFile(new URL(file, base), path, folder);
  }
}

function checkFile(url, path, folder) {
  const file = fileURLToPath(url);
  if (!file.startsWith(folder) || !existsSync(file)) throw new Error(`${path} needs ${file}, which is not packed.`);
}

function checkPackage(specifier, path) {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (!manifest.dependencies[name]) throw new Error(`${path} needs ${name}, which is not one of the dependencies.`);
}

/** Static and dynamic ones, whose module is named as text. */
function imports(code) {
  return nodes(code).filter(
    ({ type, source }) => /^(Import|Export)/.test(type) && source?.type === 'Literal' && source.value !== undefined,
  );
}

/** `new URL('file', import.meta.url)` */
function filesBeside(code) {
  return nodes(code).flatMap(({ type, callee, arguments: given }) => {
    const [name, base] = given ?? [];
    const isBeside = type === 'NewExpression' && callee.name === 'URL' && base?.object?.type === 'MetaProperty';
    return isBeside && name.type === 'Literal' ? [name.value] : [];
  });
}

function nodes(code) {
  const found = [];
  const visit = (value) => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object') {
      if (typeof value.type === 'string') found.push(value);
      for (const inner of Object.values(value)) visit(inner);
    }
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}
