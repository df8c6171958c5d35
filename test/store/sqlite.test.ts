import { testStore } from './contract.ts';
import { sqliteFolder } from './sqlite-folder.ts';

testStore('sqlite', () => sqliteFolder());
testStore('sqlite without a cache', () => sqliteFolder({ cacheMb: 0 }));
