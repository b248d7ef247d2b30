import { describe, expect, it } from 'vitest'

import { fuzzyFilter, fuzzyRank } from './fuzzy-match'

const filter = (items: string[], query: string): string[] =>
  fuzzyFilter(items, query, (item) => item)

describe('fuzzyFilter', () => {
  it('puts better matches first', () => {
    const items = [
      'Old disks',
      'my-disk',
      'Undisked',
      'Disk',
      'Disks',
      'Do it, sis, kindly',
      'Projects',
    ]
    expect(filter(items, 'disk')).toEqual([
      'Disk',
      'Disks',
      'Old disks',
      'my-disk',
      'Undisked',
      'Do it, sis, kindly',
    ])
  })

  it('keeps the order of equally good ones and of everything without a query', () => {
    expect(filter(['b-web', 'a-web', 'c-web'], 'web')).toEqual(['b-web', 'a-web', 'c-web'])
    expect(filter(['b', 'a'], '  ')).toEqual(['b', 'a'])
  })

  it('finds initials', () => {
    expect(filter(['Floating IPs', 'New project', 'New floating IP'], 'nfi')).toEqual([
      'New floating IP',
    ])
  })

  it('treats signs of patterns as text', () => {
    expect(filter(['a.b', 'axb', 'a(b'], 'a(')).toEqual(['a(b'])
    expect(filter(['New (beta)', 'new'], '(be')).toEqual(['New (beta)'])
  })
})

describe('fuzzyRank', () => {
  it('matches every subsequence and nothing else', () => {
    const text = 'Affinity Groups'
    for (let start = 0; start < text.length; start += 1) {
      for (let end = start + 1; end <= text.length; end += 1) {
        expect(fuzzyRank(text, text.slice(start, end))).toBeDefined()
      }
    }
    expect(fuzzyRank(text, 'groups affinity')).toBeUndefined()
    expect(fuzzyRank(text, 'z')).toBeUndefined()
  })
})
