import moment from 'moment';

moment.updateLocale('en', { calendar: { sameElse: 'YYYY/MM/DD' } });
const kept = moment.utc('2024-02-29T12:34:56Z');
const log = [];

globalThis.work = (round) => {
  const out = [];
  for (let turn = 0; turn < 600; turn++) {
    const when = kept
      .clone()
      .add(turn * round, 'hours')
      .subtract(turn, 'minutes');
    out.push(when.format('dddd, MMMM Do YYYY, h:mm:ss a [W]W [Q]Q'), when.diff(kept, 'days', true));
    out.push(when.isBetween('2024-03-01', '2024-04-01'), when.startOf('isoWeek').toISOString(), when.dayOfYear());
    out.push(
      moment.duration(turn * 1e6 + round).humanize(true),
      moment.duration({ days: turn, hours: 36 }).toISOString(),
    );
    out.push(moment.utc(`${turn % 28}/0${(turn % 9) + 1}/2021`, 'D/MM/YYYY', true).isValid());
  }
  log.push(kept.add(1, 'month').endOf('month').format());
  out.push(log, kept.from(moment.utc('2024-01-01')), moment.utc([2024, 0, 31]).add(1, 'month').toArray());
  return JSON.stringify([out.length, out.slice(-60)]);
};
