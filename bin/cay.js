#!/usr/bin/env node
import { runPinned } from '../scripts/launch.mjs';
import { script } from '../scripts/platform.mjs';

process.exitCode = await runPinned([script('cli/main'), ...process.argv.slice(2)]);
