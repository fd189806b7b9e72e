import { type HelpPrices, type HelpTopic, helpPages, helpScreen } from '../screens/help.ts';
import { to } from '../screens/link.ts';
import { missing, type Route, route } from './create-menu.ts';

export function helpRoutes(prices: HelpPrices): Route[] {
  return [
    route('nav:help', () => ({ show: helpScreen() })),
    route('help:{topic}', ({ topic }) => {
      const page = Object.hasOwn(helpPages, topic) && helpPages[topic as HelpTopic];
      return page ? { show: page(prices) } : missing(to('nav:help'));
    }),
  ];
}
