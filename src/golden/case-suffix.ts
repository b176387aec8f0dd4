/** How the names of case files and of their goldens end. */
export const CASE_SUFFIX = '.case.json';
export const GOLDEN_SUFFIX = '.golden';
