declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: 'russian'): { stem(word: string): string } };
  export default snowball;
}
