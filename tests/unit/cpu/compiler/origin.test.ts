import { expect, test } from '@jest/globals';
import { Origins, type Origin } from '../../../../src/cpu/compiler/checks/origin.ts';

const BODY = `
  %array = alloca [4 x i32], align 16
  %many = alloca i8, i64 %n, align 1
  %first = getelementptr inbounds i8, ptr %array, i64 8
  %some = getelementptr inbounds [4 x i32], ptr %array, i64 0, i64 %i, !dbg !7
  %again = getelementptr i8, ptr %some, i64 4
  %dynamic = tail call ptr @__rt_id_dynamic() #3
  %place = getelementptr float, ptr %dynamic, i64 %i
  %walk = phi ptr [ %array, %0 ], [ %next, %loop ]
  %next = getelementptr i8, ptr %walk, i64 4
  %lost = phi ptr [ %array, %0 ], [ @cache, %loop ]
  %choice = select i1 %c, ptr @cache, ptr getelementptr inbounds (i8, ptr @cache, i64 16)
  %global = getelementptr i8, ptr %parameter, i64 %i
  %loaded = load ptr, ptr %parameter, align 8
  %frozen = freeze ptr %first
  %perhaps = phi ptr [ null, %0 ], [ %array, %loop ]
`.split('\n');

const origins = new Origins(
  BODY,
  new Set(['%own']),
  { shared: new Map([['cache', 256]]), device: new Map([['"odd name"', 12]]) },
  new Map(),
);

const array = (fixed: boolean): Origin => ({ kind: 'private', base: '%array', bytes: 16, fixed });
const cache = (fixed: boolean): Origin => ({ kind: 'shared', base: '@cache', bytes: 256, fixed });

test.each<[string, Origin]>([
  ['%array', array(true)],
  ['%first', array(true)],
  ['%some', array(false)],
  ['%again', array(false)],
  ['%walk', array(false)],
  ['%next', array(false)],
  ['%perhaps', array(false)],
  ['%frozen', array(true)],
  ['%many', { kind: 'own' }],
  ['%dynamic', { kind: 'dynamic' }],
  ['%place', { kind: 'dynamic' }],
  ['@cache', cache(true)],
  ['%choice', cache(false)],
  ['getelementptr inbounds (i8, ptr @cache, i64 40)', cache(true)],
  ['@"odd name"', { kind: 'variable', base: '@"odd name"', bytes: 12, fixed: true }],
  ['@table', { kind: 'own' }],
  ['%own', { kind: 'own' }],
  ['%lost', { kind: 'any' }],
  ['%global', { kind: 'any' }],
  ['%loaded', { kind: 'any' }],
  ['%nowhere', { kind: 'any' }],
  ['inttoptr (i64 5 to ptr)', { kind: 'any' }],
])('%s leads to what it is made of', (pointer, origin) => {
  expect(origins.of(pointer)).toEqual(origin);
});
