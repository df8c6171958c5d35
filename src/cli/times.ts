import { onTerminal } from './terminal.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A time of an answer: as people say it on a terminal, as it is in a pipe. */
export function timeText(iso: string): string {
  return onTerminal() ? spoken(new Date(iso), new Date()) : iso;
}

/** How long something took: `340 ms` on a terminal, the number of milliseconds in a pipe. */
export function durationText(milliseconds: number): string {
  return onTerminal() ? spokenDuration(milliseconds) : `${Math.round(milliseconds * 10) / 10}`;
}

export function spokenDuration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min ${whole % minute} s`;
  return `${Math.floor(whole / hour)} h ${Math.floor((whole % hour) / minute)} min`;
}

/** What is more than a day ago has its date, in this machine's time zone. */
export function spoken(time: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds >= day || seconds < -minute) return dated(time);
  if (seconds < 1) return 'now';
  if (seconds < minute) return `${seconds} s ago`;
  return seconds < hour ? `${Math.floor(seconds / minute)} min ago` : `${Math.floor(seconds / hour)} h ago`;
}

function dated(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
