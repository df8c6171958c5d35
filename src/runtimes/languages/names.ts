import { runtimeNames } from '../../config/runtime.ts';

export type RuntimeName = (typeof runtimeNames)[number];

export { runtimeNames };
