export { InputError, RuleError, ThreadError } from './transcript/errors.js';
