import { Argument } from 'commander';

export function executionIdArgument(
  form: '<execution-id>' | '[execution-id]' | '<execution-id...>' = '<execution-id>',
) {
  return new Argument(form, 'the id of an execution, see `cay executions`');
}
