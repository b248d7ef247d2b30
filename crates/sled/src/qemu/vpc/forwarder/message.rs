//! A minimal parser of DNS messages: the header and the question. The rest is forwarded unchanged.

use hickory_proto::{
    op::{Header, Message, MessageType, OpCode, Query, ResponseCode},
    serialize::binary::{BinDecodable as _, BinDecoder, BinEncodable as _},
};

/// The header and the question of a message.
struct MessageStart {
    header: Header,
    /// `None` if the message has no question.
    question: Option<Query>,
}

impl MessageStart {
    /// Returns `None` if the message is malformed, or has several questions.
    fn of(message: &[u8]) -> Option<Self> {
        let mut decoder = BinDecoder::new(message);
        let header = Header::read(&mut decoder).ok()?;
        let question = match header.counts.queries {
            0 => None,
            1 => {
                let start = decoder.index();
                let question = Query::read(&mut decoder).ok()?;
                // Compression pointers are impossible in the first name, because only the header precedes it.
                let is_written_out = message.get(start..decoder.index())? == question.to_bytes().ok()?;
                is_written_out.then_some(())?;
                Some(question)
            }
            _ => return None,
        };
        Some(Self { header, question })
    }
}

/// Whether a message is an ordinary query with one question.
pub(super) fn is_question(message: &[u8]) -> bool {
    MessageStart::of(message).is_some_and(|MessageStart { header, question }| {
        header.message_type == MessageType::Query && header.op_code == OpCode::Query && question.is_some()
    })
}

/// Whether a message is a response to that question. An error response may omit the question.
pub(super) fn answers(reply: &[u8], asked: &[u8]) -> bool {
    let (Some(reply), Some(asked)) = (MessageStart::of(reply), MessageStart::of(asked)) else { return false };
    if reply.header.message_type != MessageType::Response || reply.header.id != asked.header.id {
        return false;
    }
    match &reply.question {
        None => reply.header.response_code != ResponseCode::NoError,
        // Names are case-insensitive.
        question => *question == asked.question,
    }
}

/// The response if no resolver could be queried (SERVFAIL).
pub(super) fn failure(asked: &[u8]) -> Option<Vec<u8>> {
    let MessageStart { header, question } = MessageStart::of(asked)?;
    let mut reply = Message::error_msg(header.id, OpCode::Query, ResponseCode::ServFail);
    reply.metadata.recursion_desired = header.recursion_desired;
    reply.metadata.recursion_available = true;
    reply.add_query(question?);
    reply.to_vec().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn question() -> Vec<u8> {
        let mut message = vec![0xab, 0xcd, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        message.extend(b"\x03www\x07example\x00\x00\x01\x00\x01");
        message
    }

    fn reply() -> Vec<u8> {
        let mut message = question();
        message[2] = 0x81;
        message[3] = 0x80;
        message
    }

    #[test]
    fn malformed_questions_are_refused() {
        assert!(is_question(&question()));
        assert!(!is_question(&reply()));
        assert!(!is_question(&question()[..question().len() - 1]));
        for (place, value) in [(2, 0x28), (5, 0), (5, 2), (12, 0xc0), (12, 64)] {
            let mut message = question();
            message[place] = value;
            assert!(!is_question(&message), "{place}: {value}");
        }
    }

    #[test]
    fn compressed_names_are_refused() {
        // The name ends in a pointer into the header.
        let mut message = vec![0xab, 0xcd, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        message.extend(b"\x03www\xc0\x06\x00\x01\x00\x01");
        assert!(!is_question(&message));
        assert_eq!(failure(&message), None);
    }

    #[test]
    fn data_after_the_question_is_ignored() {
        let mut message = question();
        message[11] = 9;
        message.extend([0xff; 40]);
        assert!(is_question(&message));
        let mut reply = reply();
        reply[7] = 9;
        reply.extend([0xff; 40]);
        assert!(answers(&reply, &message));
    }

    #[test]
    fn answer_must_match_the_question() {
        assert!(answers(&reply(), &question()));
        assert!(!answers(&question(), &question()));
        let mut other_case = reply();
        other_case[13] = b'W';
        assert!(answers(&other_case, &question()));
        for (place, value) in [(0, 0), (13, b'x'), (reply().len() - 3, 28), (5, 2)] {
            let mut message = reply();
            message[place] = value;
            assert!(!answers(&message, &question()), "{place}: {value}");
        }
        let mut without = reply()[..12].to_vec();
        without[5] = 0;
        assert!(!answers(&without, &question()), "neither an answer nor an error");
        without[3] = 5;
        assert!(answers(&without, &question()), "refused");
    }

    #[test]
    fn failure_is_encoded_as_an_answer() {
        let failure = failure(&question()).unwrap();
        assert!(answers(&failure, &question()));
        let mut expected = question();
        (expected[2], expected[3]) = (0x81, 0x82);
        assert_eq!(failure, expected);
    }

    proptest! {
        #[test]
        fn parser_handles_any_bytes(one: Vec<u8>, other: Vec<u8>) {
            let _ = (is_question(&one), answers(&one, &other), failure(&one));
        }
    }
}
