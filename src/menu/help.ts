import { type HelpTopic, helpPages, helpScreen, helpTopics } from '../screens/help.ts';
import { to } from '../screens/link.ts';
import { missing, type Route, route } from './create-menu.ts';

export function helpRoutes(): Route[] {
  return [
    route('nav:help', () => ({ show: helpScreen(helpTopics.filter((topic) => helpPages[topic])) })),
    route('help:{topic}', ({ topic }) => {
      const page = Object.hasOwn(helpPages, topic) && helpPages[topic as HelpTopic];
      return page ? { show: page() } : missing(to('nav:help'));
    }),
  ];
}
