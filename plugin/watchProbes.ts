/** `watchPlugins: ['provest/watch-probes']`. */
export { WriteProbes as default } from './reporter/watch';
