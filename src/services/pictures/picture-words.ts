import type { Niche } from '../quality/niches.ts';

/** The options a person chooses from, in the words that models draw best from: English. */

export const styles: Readonly<Record<string, string>> = {
  Фотореализм: 'photorealistic, natural detail, true-to-life materials',
  Аниме: 'anime illustration',
  Масло: 'oil painting with visible brush strokes',
  Акварель: 'watercolor painting on textured paper',
  Мультяшный: 'cartoon illustration with clean outlines',
  Набросок: 'hand-drawn pencil sketch',
  '3D-рендер': '3D render with soft global illumination',
  'Пиксель-арт': 'pixel art',
  Минимализм: 'minimalist composition with plenty of empty space',
  Киберпанк: 'cyberpunk scene with neon light',
};

export const tones: Readonly<Record<string, string>> = {
  Нейтральный: 'neutral, balanced colors',
  Тёплый: 'warm colors',
  Холодный: 'cool colors',
  Яркий: 'vivid colors',
  Пастельный: 'soft pastel colors',
  Натуральный: 'natural, unprocessed colors',
};

export const cameras: Readonly<Record<string, string>> = {
  'Canon EOS R5': 'Shot on a Canon EOS R5 with a 50 mm lens.',
  'Nikon Z9': 'Shot on a Nikon Z9 with a 35 mm lens.',
  'Sony A7R IV': 'Shot on a Sony A7R IV with an 85 mm lens.',
  'Fujifilm X-T4': 'Shot on a Fujifilm X-T4 with film-like color.',
  'Leica Q2': 'Shot on a Leica Q2 with its 28 mm lens.',
  'Hasselblad X1D': 'Shot on a medium-format Hasselblad X1D.',
  'Phase One XF': 'Shot on a medium-format Phase One XF in a studio.',
  'Pentax 645Z': 'Shot on a medium-format Pentax 645Z.',
  'GoPro Hero': 'Shot on a GoPro Hero with a wide action view.',
  'DJI Mavic': 'Shot from a DJI Mavic drone.',
};

export const angles: Readonly<Record<string, string>> = {
  'На уровне глаз': 'eye-level view',
  'Вид сверху': 'top view, flat lay',
  'Снизу вверх': 'low angle, looking up',
  'Сверху вниз': 'high angle, looking down',
  'Голландский угол': 'Dutch angle, tilted horizon',
  'Через плечо': 'over-the-shoulder view',
  'Крупный план': 'close-up',
  'Широкий план': 'wide shot',
  Макро: 'macro shot of a detail',
  Аэросъёмка: 'aerial view',
};

/** Where no angle is chosen, neighbours still have to differ. */
export const usualViews = [
  'close-up of the main subject',
  'wide shot of the whole scene',
  'detail of material or workmanship',
  'the subject in use by a person',
] as const;

/** Qualities that change no size. */
export const qualityHints: Readonly<Record<string, string>> = {
  RAW: 'RAW photo look with full dynamic range',
  Кинематограф: 'cinematic light and color grading',
  Студийное: 'studio lighting',
  Профессионал: 'professional commercial photography',
};

export const looks: Readonly<Record<Niche, string>> = {
  pets: 'lively animals in soft light',
  beauty: 'pastel studio setting',
  children: 'bright, kind scenes in daylight',
  medical: 'clean daylight, bright tidy rooms',
  legal: 'dark-wood office',
  finance: 'blue and white palette',
  furniture: 'furniture in lived-in interiors',
  auto: 'dynamic composition, reflections on the bodywork',
  realestate: 'wide bright interiors and facades',
  food: 'warm light, shallow depth of field',
  education: 'people at work and study in natural light',
  it: 'restrained modern workspace with screens',
  travel: 'landscapes at golden hour',
  sport: 'motion, contrasting light',
  construction: 'construction site',
  general: 'natural light, real-life scenes',
};

export const negatives = [
  'watermark',
  'logo',
  'overlay text',
  'blur',
  'malformed hands',
  'distorted faces',
  'oversaturated colors',
] as const;
