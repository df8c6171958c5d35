#!/usr/bin/env node
import { root } from '../scripts/platform.mjs';
import { runPinned } from '../scripts/launch.mjs';

process.exitCode = await runPinned([`${root}src/cli/main.ts`, ...process.argv.slice(2)]);
