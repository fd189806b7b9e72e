import { to } from '../screens/kit/link.ts';
import { type HelpPrices, type HelpTopic, helpPages, helpScreen } from '../screens/pages/help.ts';
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
