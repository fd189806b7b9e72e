import type { Author } from '../router.ts';
import { drawPicture } from './draw-picture.ts';
import { writeAnswer } from './write-answer.ts';

export const author: Author = { writeAnswer, drawPicture };
