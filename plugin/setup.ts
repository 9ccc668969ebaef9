/**
 * `setupFilesAfterEnv: ['provest/jest']`: the matchers in every test file, also in those that get their modules from a
 * helper.
 */
import './matchers/matchers';
