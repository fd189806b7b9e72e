import { descriptionValue } from '../../machines/description-text.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { to } from '../screens/kit/link.ts';
import { rich } from '../screens/kit/screen.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  askAuthorScreen,
  askVoiceScreen,
  dropVoiceScreen,
  longestAuthor,
  longestVoice,
  type VoicePage,
  voiceNotices,
  voiceScreen,
} from '../screens/pages/voice.ts';
import { action, askedAgain, asking, missing, type Route, route, slowAction } from './create-menu.ts';

export type VoiceData = {
  /** Null: there is no such project. */
  page(userId: number, projectId: number): Promise<VoicePage | null>;
  /** Reads the company's texts and keeps what it made of them. */
  read(userId: number, projectId: number): Promise<{ texts: number } | { refused: string } | null>;
  put(userId: number, projectId: number, field: 'voice' | 'author_name', text: string): Promise<boolean>;
};

const projectList = to('nav:projects');

/** How the company speaks, and who signs for it. */
export function voiceRoutes(data: VoiceData): Route[] {
  return [
    route('project:{pid}:voice', async ({ pid }, { userId }) => {
      const page = await data.page(userId, pid);
      return page ? { show: voiceScreen(page) } : missing(projectList);
    }),
    slowAction('project:{pid}:voice_read', voiceNotices.reading, async ({ pid }, { userId }) => {
      const done = await data.read(userId, pid);
      if (done === null) return missing(projectList);
      const notice = 'refused' in done ? rich`${done.refused}` : voiceNotices.read(done.texts);
      return { open: to('project:{pid}:voice', { pid }), notice };
    }),
    route('project:{pid}:voice_drop', async ({ pid }, { userId }) => {
      const page = await data.page(userId, pid);
      return page ? { show: dropVoiceScreen(page) } : missing(projectList);
    }),
    action('project:{pid}:voice_drop:yes:{h}', async ({ pid, h }, { userId }) => {
      const page = await data.page(userId, pid);
      if (!page) return missing(projectList);
      if (!stillAsks(dropVoiceScreen(page), h)) return askedAgain(to('project:{pid}:voice_drop', { pid }));
      await data.put(userId, pid, 'voice', '');
      return { open: to('project:{pid}:voice', { pid }), notice: voiceNotices.dropped };
    }),
    asking('project:{pid}:voice_edit', {
      async page({ pid }, { userId }) {
        const page = await data.page(userId, pid);
        return page ? { show: askVoiceScreen(page.voice) } : missing(projectList);
      },
      wants: ['text'],
      back: ({ pid }) => cancelButton(to('project:{pid}:voice', { pid })),
      async take({ pid }, { text }, { userId }) {
        const voice = descriptionValue(text);
        if (voice.length < 2 || voice.length > longestVoice)
          return { again: voiceNotices.tooLong(longestVoice) };
        if (!(await data.put(userId, pid, 'voice', voice))) return missing(projectList);
        return { open: to('project:{pid}:voice', { pid }), notice: voiceNotices.saved };
      },
    }),
    asking('project:{pid}:voice_author', {
      async page({ pid }, { userId }) {
        const page = await data.page(userId, pid);
        return page ? { show: askAuthorScreen(page.author) } : missing(projectList);
      },
      wants: ['text'],
      back: ({ pid }) => cancelButton(to('project:{pid}:voice', { pid })),
      async take({ pid }, { text }, { userId }) {
        const author = descriptionValue(text).replace(/\s+/gu, ' ');
        const isNobody = /^[-—–]$/u.test(author);
        if (!isNobody && (author.length < 2 || author.length > longestAuthor))
          return { again: voiceNotices.tooLong(longestAuthor) };
        if (!(await data.put(userId, pid, 'author_name', isNobody ? '' : author)))
          return missing(projectList);
        return {
          open: to('project:{pid}:voice', { pid }),
          notice: isNobody ? voiceNotices.unsigned : voiceNotices.signed,
        };
      },
    }),
  ];
}
