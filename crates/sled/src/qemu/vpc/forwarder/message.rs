//! As much of DNS messages as it takes to pass them on (RFC 1035, section 4).

use std::ops::Range;

const HEADER: usize = 12;
/// The first byte of the flags: a response, the kind of question, and that recursion is desired.
const RESPONSE: u8 = 0x80;
const OPCODE: u8 = 0x78;
const RECURSION_DESIRED: u8 = 0x01;
/// The second byte: that recursion is available, and the outcome.
const RECURSION_AVAILABLE: u8 = 0x80;
const OUTCOME: u8 = 0x0f;
const SERVER_FAILURE: u8 = 2;
const LONGEST_NAME: usize = 255;

/// Whether a message asks one ordinary question.
pub(super) fn is_question(message: &[u8]) -> bool {
    let is_ordinary = message.get(2).is_some_and(|flags| flags & (RESPONSE | OPCODE) == 0);
    is_ordinary && counted(message) == Some(1) && question(message).is_some()
}

/// Whether a message answers that question. One that only says why there is no answer may leave the question out.
pub(super) fn answers(reply: &[u8], asked: &[u8]) -> bool {
    let (Some(flags), Some(outcome)) = (reply.get(2), reply.get(3)) else { return false };
    if flags & RESPONSE == 0 || reply.get(..2) != asked.get(..2) {
        return false;
    }
    match counted(reply) {
        Some(0) => outcome & OUTCOME != 0 && reply.len() >= HEADER,
        Some(1) => {
            let part =
                |message: &[u8]| question(message).and_then(|range| Some(message.get(range)?.to_vec()));
            match (part(reply), part(asked)) {
                (Some(reply), Some(asked)) => same(&reply, &asked),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether two questions are the same one. Case makes no difference in names.
fn same(one: &[u8], other: &[u8]) -> bool {
    let parts = |question: &[u8]| {
        let (name, kind) = question.split_last_chunk::<4>()?;
        Some((name.to_ascii_lowercase(), *kind))
    };
    parts(one).is_some() && parts(one) == parts(other)
}

/// The answer that there is none because nobody could be asked.
pub(super) fn failure(asked: &[u8]) -> Option<Vec<u8>> {
    let question = asked.get(question(asked)?)?;
    let (id, flags) = (asked.get(..2)?, asked.get(2)?);
    let mut reply = id.to_vec();
    reply.extend([RESPONSE | flags & RECURSION_DESIRED, RECURSION_AVAILABLE | SERVER_FAILURE]);
    reply.extend([0, 1, 0, 0, 0, 0, 0, 0]);
    reply.extend_from_slice(question);
    Some(reply)
}

/// How many questions a message says that it has.
fn counted(message: &[u8]) -> Option<u16> {
    Some(u16::from_be_bytes([*message.get(4)?, *message.get(5)?]))
}

/// Where the first question is: a name, of which nothing is left out, with a type and a class.
fn question(message: &[u8]) -> Option<Range<usize>> {
    let mut at = HEADER;
    loop {
        let length = usize::from(*message.get(at)?);
        if length > 63 || at - HEADER > LONGEST_NAME {
            return None;
        }
        at += 1 + length;
        if length == 0 {
            break;
        }
    }
    let end = at + 4;
    (end <= message.len()).then_some(HEADER..end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked() -> Vec<u8> {
        let mut message = vec![0xab, 0xcd, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        message.extend(b"\x03www\x07example\x00\x00\x01\x00\x01");
        message
    }

    fn reply() -> Vec<u8> {
        let mut message = asked();
        message[2] = 0x81;
        message[3] = 0x80;
        message
    }

    #[test]
    fn questions_are_ordinary_and_whole() {
        assert!(is_question(&asked()));
        assert!(!is_question(&reply()));
        assert!(!is_question(&asked()[..asked().len() - 1]));
        for (place, value) in [(2, 0x28), (5, 0), (5, 2), (12, 0xc0), (12, 64)] {
            let mut message = asked();
            message[place] = value;
            assert!(!is_question(&message), "{place}: {value}");
        }
    }

    #[test]
    fn answers_are_to_that_question() {
        assert!(answers(&reply(), &asked()));
        assert!(!answers(&asked(), &asked()));
        let mut other_case = reply();
        other_case[13] = b'W';
        assert!(answers(&other_case, &asked()));
        for (place, value) in [(0, 0), (13, b'x'), (reply().len() - 3, 28), (5, 2)] {
            let mut message = reply();
            message[place] = value;
            assert!(!answers(&message, &asked()), "{place}: {value}");
        }
        let mut without = reply()[..12].to_vec();
        without[5] = 0;
        assert!(!answers(&without, &asked()), "nothing is said");
        without[3] = 5;
        assert!(answers(&without, &asked()), "refused");
    }

    #[test]
    fn a_failure_is_an_answer() {
        let failure = failure(&asked()).unwrap();
        assert!(answers(&failure, &asked()));
        assert_eq!((failure[2], failure[3] & OUTCOME, failure.len()), (0x81, 2, asked().len()));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_fail(one: Vec<u8>, other: Vec<u8>) {
            let _ = (is_question(&one), answers(&one, &other), failure(&one));
        }
    }
}
