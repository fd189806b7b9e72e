/** One state under a name that the host chooses, kept as a literal for the machine's type. */
export const named = <const Name extends string, const State>(name: Name, state: State) =>
  ({ [name]: state }) as Record<Name, State>;
