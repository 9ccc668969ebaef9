/** Preconditions that are read off the formula of a failing trace: figure 6 of the paper, and programs like it. */
import { verify } from '../../../../src';
import type { Task, Verdict } from '../../../../src';
import { inLongForm } from '../../../long';
import { file, task } from '../../task';
import { errors, specifications } from '../lists';

jest.setTimeout(900_000);

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(text), {
      load: { idioms: true },
      angelic: true,
      furtherChecks: 'to the end',
      properties: ['reach'],
      budget: { milliseconds: 60_000 },
      ...change,
    }),
  );

const irps = (checks: string): string => `
extern void assert(int c);
struct irp { int completed; };
struct ext { struct irp *FlushIrp; struct irp *LockIrp; struct irp *BlockIrp; };
struct dev { struct ext *DeviceExtension; };
static struct irp *watched;
static int done;
void IoCompleteRequest(struct irp *p) {
    if (p == watched) { assert(done == 0); done = 1; }
}
void Dispatch(struct dev *devobj, struct irp *irp) {
  ${checks}
}`;
const figure6c = irps(`
    watched = irp;
    done = 0;
    IoCompleteRequest(irp);
    IoCompleteRequest(devobj->DeviceExtension->FlushIrp);
    IoCompleteRequest(devobj->DeviceExtension->LockIrp);
    IoCompleteRequest(devobj->DeviceExtension->BlockIrp);`);

describe('figure 6', () => {
  const spinLock = `
extern void assert(int c);
int LockDepth;
void KeAcquireSpinLock(void) { LockDepth = LockDepth + 1; }
void KeReleaseSpinLock(void) { assert(LockDepth > 0); LockDepth = LockDepth - 1; }
void Dispatch(void) { KeAcquireSpinLock(); KeReleaseSpinLock(); KeReleaseSpinLock(); KeReleaseSpinLock(); }`;

  inLongForm('a: the last of three bounds implies the others', async () => {
    const verdict = await ask(spinLock);
    expect(errors(verdict)).toEqual([]);
    expect(specifications(verdict)).toEqual(['Dispatch: LockDepth >= 2', 'KeReleaseSpinLock: LockDepth >= 1']);
  });

  inLongForm('a with its harness: nothing is up to clients', async () => {
    const verdict = await ask(`${spinLock}\nvoid Harness(void) { LockDepth = 0; Dispatch(); }`);
    expect(errors(verdict)).toEqual(['KeReleaseSpinLock: assertion failed: LockDepth > 0']);
  });

  inLongForm('c: the requests are not the one that is completed first', async () => {
    const verdict = await ask(figure6c, { entries: ['Dispatch'] });
    expect(errors(verdict)).toEqual([]);
    expect(specifications(verdict)).toEqual([
      'Dispatch: devobj->DeviceExtension->BlockIrp != irp',
      'Dispatch: devobj->DeviceExtension->FlushIrp != irp',
      'Dispatch: devobj->DeviceExtension->LockIrp != irp',
      'struct dev: DeviceExtension is null or valid',
    ]);
  });

  inLongForm('c without aliasing in the vocabulary is an error', async () => {
    const verdict = await ask(figure6c, {
      entries: ['Dispatch'],
      angelicConfiguration: 'noAlias',
    });
    expect(errors(verdict)).toEqual(['IoCompleteRequest: assertion failed: done == 0']);
  });
});
