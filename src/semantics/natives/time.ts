/** <time.h>, without a clock: it is always the same moment, so that runs can be repeated. */
import { int32, int64 } from '../../program/expression';
import { storeChecked } from './cMemory';
import type { Native } from './native';

const moment = 1_000_000_000;

export const time: Readonly<Record<string, Native>> = {
  clock: { writesMemory: false, run: () => 0 },
  time: {
    writesMemory: true,
    run: (call) => {
      const target = call.arguments[0]!;
      if (target !== 0) {
        if (call.model === 'lp64') storeChecked(call, target, int64, BigInt(moment));
        else storeChecked(call, target, int32, moment);
      }
      return moment;
    },
  },
};
