import type { RichText, Screen } from '../screens/kit/screen.ts';
import type { LiveFlow } from './live-flow.ts';
import type { MessageId } from './message-id.ts';
import type { ShowRequest } from './presenter.ts';
import type { Session } from './session.ts';

/** What an event comes to: the next session to store and show, or nothing but a toast. */
export type Reaction =
  | ({ session: Session } & Outlook & Toast)
  | ({ session?: undefined } & Toast)
  | ({ session: Session; aside: Aside } & Toast);
/** A page beside the flow that runs, which stays as it is. */
type Aside = { screen: Screen; replace: MessageId | null };
export type Outlook = {
  /** The flow that runs now, or the screen of the page, where it is at hand already. */
  flow?: LiveFlow;
  screen?: Screen;
  replace: MessageId | null;
  discardsShown?: boolean;
  /** The person has this screen: what was sent along with it stands in the chat and is not sent again. */
  repeats?: boolean;
  /** The question before this one, where it stands in a message of its own. */
  retire?: ShowRequest['retire'];
  /** For the log, where a flow moved. */
  transition?: Transition;
};
type Toast = { toast?: string };

/** `from` is null where a flow begins. */
export type Transition = { flow: string; from: string | null; event: string; to: string; ms: number };

export const withNotice = (session: Session, notice: RichText | null): Session => ({ ...session, notice });

export const stay = (session: Session, notice: RichText | null): Reaction => ({
  session: withNotice(session, notice),
  replace: null,
  repeats: true,
});

/** What is asked now, once more below; for one old message once, however often it is pressed. */
export const repeated = (session: Session, pressed: MessageId | null, toast: string): Reaction =>
  pressed !== null && session.repeatedFor === pressed
    ? { toast }
    : { toast, ...stay({ ...session, repeatedFor: pressed }, null) };
