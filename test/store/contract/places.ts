import { after, before } from 'node:test';
import type { Store } from '../../../src/store/types.ts';
import type { TestedStore } from '../contract.ts';

/** A store that the tests of one `describe` share; `reopen` closes it and opens it again in the same place. */
export function openFor(make: () => TestedStore) {
  const place = make();
  const opened: { store: Store | null } = { store: null };
  before(async () => {
    opened.store = await place.open();
  });
  after(async () => {
    await opened.store?.close();
    await place.remove();
  });
  return {
    get store(): Store {
      if (!opened.store) throw new Error('the store is not open yet');
      return opened.store;
    },
    async reopen(): Promise<Store> {
      await opened.store?.close();
      opened.store = await place.open();
      return opened.store;
    },
  };
}
