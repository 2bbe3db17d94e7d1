/**
 * What the engine's worker gets of the environment: where programs and the person's own files are. Nothing else, so that
 * no secret that a shell had is in it.
 */

/** The variables by name. */
const PASSED: readonly string[] = [
  // where `git` is, and what Windows needs to start it
  "PATH",
  "Path",
  "PATHEXT",
  "SystemRoot",
  // where the person's own settings, ignore rules and git's configuration are
  "HOME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_EXEC_PATH",
  "GIT_CEILING_DIRECTORIES",
  // which machine a lock is of
  "COMPUTERNAME",
];

/** The part of an environment that the worker gets; under test it is told so. */
export function workerEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  isTest: boolean,
): Record<string, string> {
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), ...(isTest ? { CODECORTEX_TEST: "1" } : {}) };
}
