import { to } from '../screens/kit/link.ts';
import {
  type ErrorLine,
  errorFileScreen,
  logPeriods,
  type Monitor,
  monitorScreen,
} from '../screens/pages/monitor.ts';
import { missing, type Route, route } from './create-menu.ts';

export type MonitorData = {
  monitor(): Promise<Monitor>;
  /** The look is put on record: lines name people. */
  errorFile(adminId: number, days: number): Promise<ErrorLine[]>;
};

/** For the owner alone: `adminRoutes` refuses other people. */
export const monitorRoutes = (data: MonitorData): Route[] => [
  route('admin:monitor', async () => ({ show: monitorScreen(await data.monitor()) })),
  route('admin:logs:{n}', async ({ n }, { userId }) =>
    logPeriods.some((days) => days === n)
      ? { show: errorFileScreen(n, await data.errorFile(userId, n)) }
      : missing(to('admin:monitor')),
  ),
];
