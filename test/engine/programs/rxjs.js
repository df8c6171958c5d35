import * as rx from 'rxjs';

// Subscribed to in the first run, and alive in those that follow.
const clicks = new rx.Subject();
const state = new rx.BehaviorSubject({ n: 0 });
const replay = new rx.ReplaySubject(3);
const seen = [];
clicks
  .pipe(
    rx.scan((sum, n) => sum + n, 0),
    rx.distinctUntilChanged(),
    rx.bufferCount(3),
    rx.map((list) => list.join('+')),
  )
  .subscribe((text) => seen.push(text));
clicks
  .pipe(
    rx.withLatestFrom(state),
    rx.filter(([n]) => n % 50 === 0),
  )
  .subscribe(([n, { n: total }]) => replay.next([n, total]));
clicks
  .pipe(
    rx.pairwise(),
    rx.switchMap(([a, b]) => rx.of(a, b).pipe(rx.take(1))),
    rx.reduce((x, y) => x + y, 0),
  )
  .subscribe((sum) => seen.push(`sum ${sum}`));
clicks
  .pipe(
    rx.map((n) => {
      if (n === 77) throw new Error('77');
      return n;
    }),
    rx.retry(),
    rx.observeOn(rx.asapScheduler),
    rx.sample(rx.NEVER),
  )
  .subscribe({ error: (e) => seen.push(e.message) });

globalThis.work = async (round) => {
  for (let n = 0; n < 400; n++) {
    clicks.next(n * round);
    state.next({ n: state.value.n + 1 });
  }
  const out = [];
  const source = rx.range(1, 500).pipe(
    rx.mergeMap((n) => rx.from([n, n * round])),
    rx.groupBy((n) => n % 3),
    rx.mergeMap((group) =>
      group.pipe(
        rx.toArray(),
        rx.map((list) => [group.key, list.length, list.at(-1)]),
      ),
    ),
    rx.toArray(),
  );
  for (let turn = 0; turn < 20; turn++) out.push(await rx.firstValueFrom(source));
  out.push(
    await rx.lastValueFrom(
      rx.zip(rx.of(1, 2), rx.from(Promise.resolve('p')), rx.of(3)).pipe(rx.defaultIfEmpty('none')),
    ),
  );
  out.push(
    await rx.lastValueFrom(
      rx.scheduled([1, 2, 3], rx.asapScheduler).pipe(
        rx.concatMap(async (n) => n * round),
        rx.toArray(),
      ),
    ),
  );
  out.push(
    await rx.firstValueFrom(
      rx
        .throwError(() => new Error(`r${round}`))
        .pipe(
          rx.catchError((e) => rx.of(e.message)),
          rx.startWith(0),
          rx.skip(1),
        ),
    ),
  );
  if (round === 4) clicks.complete();
  replay.subscribe((value) => out.push(value));
  return JSON.stringify([out.slice(-8), seen.length, seen.slice(-4), state.value, clicks.observed]);
};
