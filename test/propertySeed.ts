/**
 * Every property draws from one seed, the same in every run unless PROVEST_SEED says otherwise; a failing property
 * prints it with its path.
 */
import * as fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROVEST_SEED']) });
