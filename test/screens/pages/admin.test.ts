import { expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { auditScreen, type Deed } from '../../../src/screens/pages/admin.ts';

const aDeed: Deed = {
  ...{ at: new Date('2026-11-18T20:30:00Z'), adminId: 1, admin: 'Олег', userId: null, person: null },
  ...{ action: 'automatic-message', details: { name: 'low_balance', isOn: false } },
};

it('the audit names an automatic message as the owner knows it, and which way it was switched', () => {
  expect(toHtml(auditScreen([aDeed]).text)).toContain(
    '18.11, 23:30 Олег: переключение автосообщения · «Мало токенов» выключено',
  );
});
