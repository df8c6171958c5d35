/** What every process of an upstream gets of our environment, as the official client has it; `env` adds the rest. */
export const inheritedNames: readonly string[] = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

export function inheritedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = environment[name];
      // A shell function that was exported is code.
      return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
    }),
  );
}
