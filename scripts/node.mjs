// Sets Cay up if needed, then runs the pinned Node with the given arguments: `node scripts/node.mjs bench/engine.ts`.
import { runPinned } from './launch.mjs';

process.exitCode = await runPinned(process.argv.slice(2));
