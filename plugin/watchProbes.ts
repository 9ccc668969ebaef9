/** `watchPlugins: ['provest/watch-probes']`. */
export { WriteProbes as default } from './watch';
