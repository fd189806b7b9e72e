/**
 * Links that screens and the reply keyboard draw already and that nothing answers yet: their buttons are left out until
 * the feature is there. A test keeps this list exact, so that a forgotten route is an error and not a missing button.
 */
export const laterPatterns: ReadonlySet<string> = new Set<string>();
