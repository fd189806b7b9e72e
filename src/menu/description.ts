import { descriptionMisfit, descriptionValue } from '../../machines/description-text.ts';
import type { DescriptionOffer } from '../../machines/fragments/description-work.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  type CategoryDescription,
  deleteDescriptionScreen,
  descriptionDeletedNotice,
  descriptionSavedNotice,
  descriptionScreen,
  ownDescriptionMisfits,
  ownDescriptionScreen,
} from '../screens/pages/description.ts';
import { action, askedAgain, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type DescriptionData = {
  price: number;
  /** Null: there is no such category. */
  read(userId: number, categoryId: number): Promise<CategoryDescription | null>;
  offer(userId: number, categoryId: number): Promise<Omit<DescriptionOffer, 'isAdmin'> | null>;
  /** An empty text removes it. False when there is no such category. */
  put(userId: number, categoryId: number, text: string): Promise<boolean>;
  /** A text that was written and paid for while the person was elsewhere; null when it is not on record any more. */
  written(userId: number, run: string, attempt: number): Promise<string | null>;
};

const projectList = to('nav:projects');
const pageOf = (cid: number): Link => to('category:{cid}:description', { cid });

export function descriptionRoutes(data: DescriptionData): Route[] {
  return [
    route('category:{cid}:description', ({ cid }, { userId }) =>
      shown(userId, cid, (category) => descriptionScreen(category, data.price)),
    ),
    route('desc:{cid}:gen', async ({ cid }, { userId, isAdmin }) => {
      const offer = await data.offer(userId, cid);
      if (!offer) return missing(projectList);
      return { start: { flow: 'DescriptionGenerate', input: { ...offer, isAdmin } }, origin: pageOf(cid) };
    }),

    asking('desc:{cid}:manual', {
      page: ({ cid }, { userId }) => shown(userId, cid, ownDescriptionScreen),
      wants: ['text'],
      back: ({ cid }) => cancelButton(pageOf(cid)),
      async take({ cid }, { text }, { userId }) {
        const misfit = descriptionMisfit(text);
        if (misfit) return { again: ownDescriptionMisfits[misfit] };
        return put(userId, cid, descriptionValue(text));
      },
    }),

    action('desc:{cid}:keep:{run}:{k}', async ({ cid, run, k }, { userId }) => {
      if (!(await data.read(userId, cid))) return missing(projectList);
      const text = await data.written(userId, run, k);
      return text === null ? { open: pageOf(cid) } : put(userId, cid, text);
    }),

    route('desc:{cid}:delete', ({ cid }, { userId }) => shown(userId, cid, deleteDescriptionScreen)),
    action('desc:{cid}:delete:yes:{h}', async ({ cid, h }, { userId }) => {
      const category = await data.read(userId, cid);
      if (!category) return missing(projectList);
      if (!stillAsks(deleteDescriptionScreen(category), h))
        return askedAgain(to('desc:{cid}:delete', { cid }));
      await data.put(userId, cid, '');
      return { open: pageOf(cid), notice: descriptionDeletedNotice };
    }),
  ];

  async function shown(
    userId: number,
    cid: number,
    show: (category: CategoryDescription) => ReturnType<typeof ownDescriptionScreen>,
  ): Promise<RouteAnswer> {
    const category = await data.read(userId, cid);
    return category ? { show: show(category) } : missing(projectList);
  }

  async function put(userId: number, cid: number, text: string) {
    if (!(await data.put(userId, cid, text))) return missing(projectList);
    return { open: pageOf(cid), notice: descriptionSavedNotice };
  }
}
