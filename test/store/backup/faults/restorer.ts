// Restores the backup that it is given over the folder that it is given, and says when it begins: interrupted.test.ts kills it.
import { restore } from '../saved.ts';

const [file = '', folder = ''] = process.argv.slice(2);
process.send?.('ready');
await restore(file, folder, true);
process.send?.('done', () => process.disconnect?.());
