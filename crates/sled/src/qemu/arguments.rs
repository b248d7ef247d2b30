use std::net::{IpAddr, Ipv4Addr};

use croft_api::scalar::IpNet;
use serde_json::{Value, json};

use super::{
    options::GuestNetwork,
    probe::Acceleration,
    volumes::{Attached, Layer},
    vpc,
};
use crate::{MachineDisk, MachineInterface, MachineSpec};

/// Where devices are based on the machine's bus, so that guests find them at the same place after every start.
const DISPLAY: u8 = 0x01;
/// Interfaces from here by slot.
const FIRST_INTERFACE: u8 = 0x02;
/// The boot disk, before all other disks: boot loaders and guests take the first one for theirs.
const BOOT_DISK: u8 = 0x0a;
/// The other disks from here by slot.
const FIRST_DISK: u8 = 0x0b;
const POINTER: u8 = 0x1b;
const CIDATA: u8 = 0x1c;
const RANDOMNESS: u8 = 0x1d;

/// The system calls that QEMU forbids itself.
const SANDBOX: &str = "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny";

/// The machine's screen, a socket in the folder that QEMU runs in.
pub(super) const SCREEN: &str = "screen";

/// A layer's path as QEMU sees it, which runs in the folder `run` of its machine.
pub(super) fn layer_path(layer: Layer) -> String {
    format!("../../../layers/{}", layer.id)
}

/// The name of a disk's device.
pub(super) fn disk_device(slot: u8) -> String {
    format!("disk-{slot}")
}

/// The name that a machine goes by in QEMU's command line, by which its process is known.
pub(super) fn machine_name(id: uuid::Uuid) -> String {
    format!("croft-machine-{id}")
}

/// What every start of QEMU has in common, be it of a machine or of a trial.
///
/// The machine type has a version, so that another QEMU gives the guest the same devices. The processor is all that this
/// host has: a machine never goes on elsewhere, since each start of an instance is a new machine.
pub(super) fn common(acceleration: Acceleration, machine_type: &str) -> Vec<String> {
    let machine = format!("{machine_type},accel={},vmport=off", acceleration.name());
    let cpu = match acceleration {
        Acceleration::Kvm => "host",
        Acceleration::Tcg => "max",
    };
    words(&[
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-machine",
        &machine,
        "-cpu",
        cpu,
        "-sandbox",
        SANDBOX,
    ])
}

/// A QEMU that has a disk and no machine, and is talked to on its standard input and output.
pub(super) fn without_machine(name: &str, layers: &[Layer]) -> Vec<String> {
    let block = block(0, layers);
    words(&[
        "-name",
        name,
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-machine",
        "none",
        "-sandbox",
        SANDBOX,
        "-blockdev",
        &block.to_string(),
        "-chardev",
        "stdio,id=control,signal=off",
        "-mon",
        "chardev=control,mode=control",
    ])
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// QEMU's command line for a machine, whose disks are given in the order of its specification.
pub(super) fn machine(
    spec: &MachineSpec,
    disks: &[(MachineDisk, Attached)],
    acceleration: Acceleration,
    machine_type: &str,
    network: GuestNetwork,
) -> Vec<String> {
    let mut arguments = common(acceleration, machine_type);
    arguments.extend(words(&[
        "-name",
        &format!("guest={},debug-threads=on", machine_name(spec.id)),
        "-uuid",
        &spec.instance_id.to_string(),
        "-smp",
        &spec.cpus.to_string(),
        "-m",
        &format!("{}M", spec.memory >> 20),
        "-rtc",
        "base=utc,clock=host",
        "-boot",
        "strict=on",
        // A guest that shuts down is seen through the control socket, which therefore must outlive it.
        "-action",
        // A guest that panics is counted, and goes on with what it does about it.
        "shutdown=pause,reboot=reset,panic=none",
        "-device",
        "pvpanic",
        "-S",
        "-chardev",
        "socket,id=control,path=control,server=on,wait=off",
        "-mon",
        "chardev=control,mode=control",
        "-chardev",
        "socket,id=serial,path=serial,server=on,wait=off",
        "-serial",
        "chardev:serial",
        "-object",
        "rng-builtin,id=randomness",
        "-device",
        &format!("virtio-rng-pci,rng=randomness,addr={RANDOMNESS:#x}"),
    ]));
    for (disk, attached) in disks {
        arguments.extend(disk_arguments(*disk, attached));
    }
    arguments.extend(read_only_disk());
    arguments.extend(screen());
    for interface in &spec.interfaces {
        arguments.extend(interface_arguments(interface, network));
    }
    arguments
}

/// A screen that all guests and boot loaders can draw on, and a mouse that points at a place of it instead of moving by some
/// way, so that it is where the viewer's is. Any number of viewers share them.
fn screen() -> Vec<String> {
    words(&[
        "-device",
        &format!("VGA,addr={DISPLAY:#x}"),
        "-device",
        &format!("qemu-xhci,id=usb,addr={POINTER:#x}"),
        "-device",
        "usb-tablet,bus=usb.0",
        "-vnc",
        &format!("unix:{SCREEN},share=ignore"),
    ])
}

/// What QEMU calls a layer of a disk. The slot is in it because several disks of a machine may be based on one layer;
/// the name may have 31 characters.
pub(super) fn layer_node(slot: u8, layer: Layer) -> String {
    let id: String = layer.id.simple().to_string().chars().take(24).collect();
    format!("disk{slot}-{id}")
}

/// The layers of a disk, the topmost first, each with its name.
fn block(slot: u8, layers: &[Layer]) -> Value {
    layers.iter().rev().fold(Value::Null, |below, layer| {
        let mut block = json!({
            "driver": layer.format.name(), "node-name": layer_node(slot, *layer), "discard": "unmap",
            "file": { "driver": "file", "filename": layer_path(*layer), "discard": "unmap" },
        });
        if !below.is_null() {
            block["backing"] = below;
        }
        block
    })
}

fn disk_arguments(disk: MachineDisk, attached: &Attached) -> [String; 4] {
    let block = block(disk.slot, &attached.layers);
    let node = block["node-name"].as_str().unwrap_or_default();
    let address = if disk.boot { BOOT_DISK } else { FIRST_DISK + disk.slot };
    let boot = if disk.boot { ",bootindex=0" } else { "" };
    // The device has room for twenty characters of the disk's id.
    let serial: String = disk.id.simple().to_string().chars().take(20).collect();
    let device = format!(
        "virtio-blk-pci,id={},drive={node},addr={address:#x},serial={serial},logical_block_size={size},\
         physical_block_size={size},werror=report,rerror=report{boot}",
        disk_device(disk.slot),
        size = attached.block_size,
    );
    ["-blockdev".to_owned(), block.to_string(), "-device".to_owned(), device]
}

fn read_only_disk() -> [String; 4] {
    let block = json!({
        "driver": "raw", "node-name": "cidata", "read-only": true,
        "file": { "driver": "file", "filename": "cidata", "read-only": true },
    });
    let device = format!("virtio-blk-pci,drive=cidata,addr={CIDATA:#x}");
    ["-blockdev".to_owned(), block.to_string(), "-device".to_owned(), device]
}

fn interface_arguments(interface: &MachineInterface, network: GuestNetwork) -> [String; 4] {
    let slot = interface.slot;
    let net = match network {
        GuestNetwork::Vpc => {
            format!("tap,id=net-{slot},ifname={},script=no,downscript=no", vpc::tap(interface.id))
        }
        GuestNetwork::Isolated => user_network(interface, "on"),
        GuestNetwork::Outbound => user_network(interface, "off"),
    };
    let mac = interface.mac.to_string().to_lowercase();
    let address = FIRST_INTERFACE + slot;
    let device =
        format!("virtio-net-pci,id=nic-{slot},netdev=net-{slot},mac={mac},addr={address:#x},romfile=");
    ["-netdev".to_owned(), net, "-device".to_owned(), device]
}

/// A network of QEMU's own for one interface, which hands out the interface's address.
fn user_network(interface: &MachineInterface, restrict: &str) -> String {
    let slot = interface.slot;
    let addresses = match (interface.ip, interface.subnet) {
        (IpAddr::V4(ip), IpNet::V4(subnet)) => {
            let [gateway, names] = services(subnet.addr(), ip);
            let (net, width) = (subnet.addr(), subnet.width());
            format!("ipv6=off,net={net}/{width},host={gateway},dns={names},dhcpstart={ip}")
        }
        (_, IpNet::V6(subnet)) => format!("ipv4=off,ipv6-net={}/{}", subnet.addr(), subnet.width()),
        // An interface whose address is not of its subnet's family has no network to be on.
        (IpAddr::V6(_), IpNet::V4(_)) => "ipv4=off,ipv6=off".to_owned(),
    };
    format!("user,id=net-{slot},restrict={restrict},{addresses}")
}

/// The addresses of the gateway and of the name server: the first of the subnet that the guest does not have.
fn services(subnet: Ipv4Addr, guest: Ipv4Addr) -> [Ipv4Addr; 2] {
    let start = u32::from(subnet);
    let mut free = (1..=3).map(|offset| Ipv4Addr::from(start + offset)).filter(|address| *address != guest);
    [free.next().unwrap_or(subnet), free.next().unwrap_or(subnet)]
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::qemu::volumes::Format;

    #[test]
    fn machine_arguments_contain_its_disks_in_boot_order() {
        let disk = |number: u128, slot: u8, boot: bool| {
            let id = Uuid::from_u128(number);
            let [top, base] = [(id, Format::Qcow2), (Uuid::from_u128(5), Format::Raw)];
            let layers = [top, base].map(|(id, format)| Layer { id, format }).into();
            (MachineDisk { id, slot, boot }, Attached { layers, block_size: 4096 })
        };
        let interface = MachineInterface {
            id: Uuid::from_u128(7),
            slot: 1,
            mac: "A8:40:25:00:00:01".parse().unwrap(),
            vpc_id: Uuid::from_u128(6),
            ip: IpAddr::from([172, 30, 0, 2]),
            subnet: "172.30.0.0/22".parse().unwrap(),
        };
        let spec = MachineSpec {
            id: Uuid::from_u128(1),
            instance_id: Uuid::from_u128(2),
            sled_id: Uuid::from_u128(3),
            name: "a,b".to_owned(),
            hostname: "db1".to_owned(),
            cpus: 2,
            memory: 2 << 30,
            disks: Vec::new(),
            user_data: Vec::new(),
            public_keys: Vec::new(),
            interfaces: vec![interface],
        };
        let disks = [disk(8, 0, false), disk(9, 1, true)];
        let line = machine(&spec, &disks, Acceleration::Tcg, "pc-q35-7.2", GuestNetwork::Isolated).join(" ");
        assert!(line.contains("-m 2048M"), "{line}");
        assert!(line.contains("-machine pc-q35-7.2,accel=tcg,"), "{line}");
        assert!(line.contains("id=disk-1,drive=disk1-000000000000000000000000,addr=0xa,"), "{line}");
        assert_eq!(line.matches(r#""backing":{"discard":"unmap","driver":"raw""#).count(), 2, "{line}");
        assert!(line.contains("physical_block_size=4096,werror=report,rerror=report,bootindex=0"), "{line}");
        assert_eq!(line.matches("bootindex").count(), 1);
        assert!(line.contains("id=disk-0,drive=disk0-000000000000000000000000,addr=0xb,"), "{line}");
        let net =
            "restrict=on,ipv6=off,net=172.30.0.0/22,host=172.30.0.1,dns=172.30.0.3,dhcpstart=172.30.0.2";
        assert!(line.contains(net), "{line}");
        assert!(line.contains("mac=a8:40:25:00:00:01,addr=0x3"), "{line}");
        assert!(line.contains("-device VGA,addr=0x1 "), "{line}");
        assert!(line.contains("-vnc unix:screen,"), "nobody reaches it by a network: {line}");
        let open = machine(&spec, &disks, Acceleration::Kvm, "pc-q35-7.2", GuestNetwork::Outbound).join(" ");
        assert!(open.contains("restrict=off") && open.contains("accel=kvm"), "{open}");
        let vpc = machine(&spec, &disks, Acceleration::Tcg, "pc-q35-7.2", GuestNetwork::Vpc).join(" ");
        assert!(vpc.contains("tap,id=net-1,ifname=tap-00000000007,script=no"), "{vpc}");
    }
}
