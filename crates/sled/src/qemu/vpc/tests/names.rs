//! DNS for guests, with a resolver outside of the host.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use croft_api::scalar::IpNet;
use croft_network::{ExternalAddresses, Network};

use super::{
    super::{Vpcs, forwarder::Forwarders},
    live::{HOST, Host, NEIGHBOUR, in_own_network, inside, join, network},
};
use crate::qemu::{files::Accounts, options::Programs};

const ADDRESS: [u8; 4] = [192, 0, 2, 77];
/// The name that the resolver does not answer.
const SILENT: &str = "silent.example";
const NO_SUCH_NAME: u8 = 3;
const SERVER_FAILURE: u8 = 2;
const REFUSED: u8 = 5;
const LIMIT: Duration = Duration::from_secs(20);
/// Interval at which threads check whether they should end.
const MOMENT: Duration = Duration::from_millis(50);

/// A query for the address of a name, or for the name of an address in text form.
fn question(name: &str) -> Vec<u8> {
    question_for(name, if name.strip_suffix(".arpa").is_some() { 12 } else { 1 })
}

/// A query for records of this type.
pub(super) fn question_for(name: &str, kind: u8) -> Vec<u8> {
    let mut message = vec![0x12, 0x34, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        message.push(u8::try_from(label.len()).unwrap());
        message.extend_from_slice(label.as_bytes());
    }
    message.extend([0, 0, kind, 0, 1]);
    message
}

/// The end of the question: name and type.
fn end_of(message: &[u8]) -> usize {
    12 + message[12..].iter().position(|byte| *byte == 0).unwrap() + 5
}

fn reply(question: &[u8]) -> Option<Vec<u8>> {
    let end = end_of(question);
    if question[12..].starts_with(b"\x06silent") {
        return None;
    }
    let mut reply = question[..end].to_vec();
    (reply[2], reply[3]) = (0x81, 0x80);
    reply[6..12].copy_from_slice(&[0, 1, 0, 0, 0, 0]);
    reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
    reply.extend(ADDRESS);
    Some(reply)
}

/// The content of a response: an address, or an error code.
fn answer_of(message: &[u8]) -> Result<Ipv4Addr, u8> {
    assert_eq!(message[..2], [0x12, 0x34], "{message:?}");
    match message[3] & 0x0f {
        0 => {
            let last: [u8; 4] = message[end_of(message) + 12..][..4].try_into().unwrap();
            Ok(last.into())
        }
        outcome => Err(outcome),
    }
}

/// A resolver in a namespace, which returns the same address for every name.
struct Resolver {
    queries: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Resolver {
    fn in_place(place: &str) -> Self {
        let sockets = inside(place, || {
            (UdpSocket::bind((NEIGHBOUR, 53)).unwrap(), TcpListener::bind((NEIGHBOUR, 53)).unwrap())
        });
        let (queries, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (datagrams, streams) = sockets;
        datagrams.set_read_timeout(Some(MOMENT)).unwrap();
        let (count, end) = (Arc::clone(&queries), Arc::clone(&ended));
        let by_datagram = move || {
            let mut buffer = [0; 4096];
            while !end.load(Ordering::Relaxed) {
                let Ok((length, from)) = datagrams.recv_from(&mut buffer) else { continue };
                count.fetch_add(1, Ordering::Relaxed);
                if let Some(reply) = reply(&buffer[..length]) {
                    datagrams.send_to(&reply, from).unwrap();
                }
            }
        };
        let count = Arc::clone(&queries);
        // Ends when the connection is closed.
        let by_stream = move || {
            for stream in streams.incoming() {
                let mut stream = stream.unwrap();
                let Some(question) = read(&mut stream) else { return };
                count.fetch_add(1, Ordering::Relaxed);
                write(&mut stream, &reply(&question).unwrap());
            }
        };
        Self { queries, ended, threads: vec![thread::spawn(by_datagram), thread::spawn(by_stream)] }
    }

    fn queries(&self) -> usize {
        self.queries.load(Ordering::Relaxed)
    }

    fn end(self, place: &str) {
        self.ended.store(true, Ordering::Relaxed);
        drop(inside(place, || TcpStream::connect((NEIGHBOUR, 53)).unwrap()));
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
}

fn read(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut length = [0; 2];
    stream.read_exact(&mut length).ok()?;
    let mut message = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut message).ok()?;
    Some(message)
}

fn write(stream: &mut TcpStream, message: &[u8]) {
    let length = u16::try_from(message.len()).unwrap().to_be_bytes();
    stream.write_all(&[&length, message].concat()).unwrap();
}

/// The response of the guest's gateway.
fn ask(guest: &str, gateway: IpAddr, name: &str) -> Result<Ipv4Addr, u8> {
    inside(guest, || {
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        socket.connect((gateway, 53)).unwrap();
        socket.send(&question(name)).unwrap();
        let mut buffer = [0; 4096];
        let length = socket.recv(&mut buffer).unwrap();
        answer_of(&buffer[..length])
    })
}

fn ask_by_stream(guest: &str, gateway: IpAddr, name: &str) -> Result<Ipv4Addr, u8> {
    inside(guest, || {
        let mut stream = TcpStream::connect((gateway, 53)).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        write(&mut stream, &question(name));
        answer_of(&read(&mut stream).unwrap())
    })
}

fn vpc() -> Network {
    let own = |address: [u8; 4]| ExternalAddresses {
        floating: vec![IpAddr::from(address)],
        ..ExternalAddresses::default()
    };
    network([own([198, 51, 100, 10]), own([198, 51, 100, 11])])
}

#[test]
fn guests_resolve_names_of_reachable_guests() {
    if !in_own_network("qemu::vpc::tests::names::guests_resolve_names_of_reachable_guests") {
        return;
    }
    let mut host = Host::open(None);
    let outside = join(&host, "wan0", HOST, NEIGHBOUR);
    let resolver = Resolver::in_place(&outside);
    let network = vpc();
    host.vpcs.ensure(&network).unwrap();
    let guest = host.guest(&network, &network.interfaces[0]);
    let gateway = super::super::service::gateway(IpNet::V4(network.subnets[0].ipv4));
    let own_name = format!("{}.{}", network.interfaces[0].hostname, network.dns_name);
    let own_address =
        |answer: Result<Ipv4Addr, u8>| assert_eq!(answer.map(IpAddr::from), Ok(network.interfaces[0].ip));

    assert_eq!(ask(&guest, gateway, "www.example"), Err(REFUSED), "no external network");
    own_address(ask(&guest, gateway, &own_name));

    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.forwarders = Some(Forwarders::to(&[SocketAddr::from((NEIGHBOUR, 53))]));
    host.vpcs.ensure(&network).unwrap();
    assert_eq!(ask(&guest, gateway, "www.example"), Ok(ADDRESS.into()));
    assert_eq!(ask_by_stream(&guest, gateway, "long.example"), Ok(ADDRESS.into()));
    assert_eq!(resolver.queries(), 2);

    // Names of the VPC are not forwarded.
    own_address(ask(&guest, gateway, &own_name));
    own_address(ask_by_stream(&guest, gateway, &own_name));
    for name in [&format!("other.{}", network.dns_name), "single", "1.0.30.172.in-addr.arpa"] {
        assert_eq!(ask(&guest, gateway, name), Err(NO_SUCH_NAME), "{name}");
    }
    assert_eq!(resolver.queries(), 2);

    assert_eq!(ask(&guest, gateway, SILENT), Err(SERVER_FAILURE), "an error after the time limit");
    let direct = inside(&guest, || {
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        socket.set_read_timeout(Some(MOMENT)).unwrap();
        socket.send_to(&question("www.example"), (gateway, 5300)).unwrap();
        socket.recv(&mut [0; 512]).map_err(|error| error.kind())
    });
    assert!(matches!(direct, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{direct:?}");

    // A server without an external interface stops forwarding.
    drop(host.vpcs.forwarders.take());
    let next = Vpcs::open(host.sled, Accounts::available(), None, &[], &Programs::default()).unwrap();
    next.ensure(&network).unwrap();
    host.vpcs = next;
    assert_eq!(ask(&guest, gateway, "www.example"), Err(REFUSED));
    resolver.end(&outside);
}

#[test]
fn forwarder_stops_and_restarts_with_its_vpc() {
    if !in_own_network("qemu::vpc::tests::names::forwarder_stops_and_restarts_with_its_vpc") {
        return;
    }
    let mut host = Host::open(None);
    let outside = join(&host, "wan0", HOST, NEIGHBOUR);
    let resolver = Resolver::in_place(&outside);
    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.forwarders = Some(Forwarders::to(&[SocketAddr::from((NEIGHBOUR, 53))]));
    let network = vpc();
    let gateway = super::super::service::gateway(IpNet::V4(network.subnets[0].ipv4));
    for _ in 0..2 {
        let before = resolver.queries();
        host.vpcs.ensure(&network).unwrap();
        let guest = host.guest(&network, &network.interfaces[0]);
        assert_eq!(ask(&guest, gateway, "www.example"), Ok(ADDRESS.into()));
        assert!(resolver.queries() > before);
        // Pending queries do not delay the end.
        inside(&guest, || {
            let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
            socket.send_to(&question(SILENT), (gateway, 53)).unwrap();
        });
        host.vpcs.delete(network.id).unwrap();
        host.vpcs.tools.delete_namespace(&guest).unwrap();
    }
    resolver.end(&outside);
}
