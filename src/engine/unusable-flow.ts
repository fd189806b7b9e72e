/** Why a stored run cannot go on. The person is told; the log keeps the reason. */
export class UnusableFlow extends Error {
  override readonly name = 'UnusableFlow';
}
