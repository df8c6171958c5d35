#!/usr/bin/env node
import { runPinned } from '../scripts/launch.mjs';
import { root } from '../scripts/platform.mjs';

process.exitCode = await runPinned([`${root}src/cli/main.ts`, ...process.argv.slice(2)]);
