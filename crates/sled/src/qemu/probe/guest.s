# The guest that a host is tried with: it goes where boot loaders and kernels go, and says how far it came.
#
# It is booted by the firmware from a virtio disk, whose first sectors are this program and whose sectors from
# PATTERN_SECTOR on hold 32-bit numbers that count up from 0. At the beginning of each stage it writes the stage's digit to
# port 0xe9. A stage that finds something wrong writes its number to port 0xf4, which ends QEMU; the end of the last
# stage writes DONE there. Of all else that can go wrong (the processor resets itself, or stops, or QEMU does) the last
# digit tells where it happened.
#
# `assemble` in the tests says how the bytes in guest.bin are made of this.

        .set DONE, 16
        .set PROGRESS_PORT, 0xe9
        .set EXIT_PORT, 0xf4
        .set MAGIC, 0x74666f72
        .set PATTERN_SECTOR, 64
        .set ROUNDS, 16                 # reads of the pattern, each with a way to protected mode and back
        .set ROUND_SECTORS, 8
        .set ROUND_BYTES, ROUND_SECTORS * 512
        .set BUFFER, 0x10000            # where the firmware reads to
        .set HIGH, 0x100000             # where protected mode copies to
        .set TICKS, 20
        .set IDT64, 0x5000
        .set IDT32, 0x6000
        .set PML4, 0x20000
        .set PDPT, 0x21000
        .set PD, 0x22000
        .set PT, 0x23000
        .set MAPPED_PAGE, 0x24000
        .set CODE32, 0x08
        .set DATA, 0x10
        .set CODE16, 0x18
        .set DATA16, 0x20
        .set CODE64, 0x28

        .macro STAGE number
        movb    $\number, stage
        movb    $'0' + \number, %al
        outb    %al, $PROGRESS_PORT
        .endm

# Makes the segment at %ax that of data and of the stack.
        .macro DATA_SEGMENTS
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        .endm

# From real mode to protected mode: what follows is code of 32 bits.
        .macro ENTER_PROTECTED_MODE
        cli
        lgdt    gdt_pointer
        movl    %cr0, %eax
        orl     $1, %eax
        movl    %eax, %cr0
        ljmp    $CODE32, $1f
        .code32
1:      movw    $DATA, %ax
        DATA_SEGMENTS
        .endm

# The boot sector.

        .text
        .code16
        .globl  _start
_start:
        ljmp    $0, $begin
begin:
        cli
        xorw    %ax, %ax
        DATA_SEGMENTS
        movw    $0x7c00, %sp
        cld
        sti
        movb    %dl, drive

# Stage 1: the firmware reads the rest of this program, with interrupts enabled.

        STAGE   1
        movw    $rest, %si
        call    read
        cmpl    $MAGIC, magic
        je      real_mode
fail16:
        movb    stage, %al
        outb    %al, $EXIT_PORT
        cli
        hlt
        jmp     fail16

# Reads what the packet at %si asks for.
read:
        movb    $0x42, %ah
        movb    drive, %dl
        int     $0x13
        jc      fail16
        ret

drive:  .byte   0
stage:  .byte   0
        .balign 4
rest:                                   # a packet: size, sectors, offset, segment, first sector
        .word   16, (end - second_sector + 511) / 512, second_sector, 0
        .quad   1

        .org    510
        .word   0xaa55

# Stage 2: software interrupts in real mode, each ended by an iret.

second_sector:
real_mode:
        STAGE   2
        movw    $on_interrupt16, 0x60 * 4
        movw    $0, 0x60 * 4 + 2
        movw    $1000, %cx
1:      int     $0x60
        loop    1b
        pushfw
        lcall   $0, $on_interrupt16
        cmpw    $1001, interrupts
        jne     fail16
        jmp     real_mode_timer
on_interrupt16:
        pushw   %ax
        incw    interrupts
        popw    %ax
        iretw

# Stage 3: the timer's interrupt in real mode, a thousand times a second, which the firmware handles and counts.

real_mode_timer:
        STAGE   3
        movb    $0x34, %al
        outb    %al, $0x43
        movb    $0xa9, %al
        outb    %al, $0x40
        movb    $0x04, %al
        outb    %al, $0x40
        movl    0x46c, %ebx
1:      sti
        hlt
        movl    0x46c, %eax
        subl    %ebx, %eax
        cmpl    $TICKS, %eax
        jb      1b

# Stage 4: protected mode, an interrupt and memory beyond the first MiB in it, and real mode again.

        STAGE   4
        inb     $0x92, %al              # address line 20
        orb     $2, %al
        andb    $0xfe, %al
        outb    %al, $0x92
        movl    $in_protected_mode, %ebx
        call    protected
        cmpl    $MAGIC, protected_result
        jne     fail16

# Stage 5: reads by the firmware alternate with copies by protected mode, as boot loaders do it.

        STAGE   5
        movw    $ROUNDS, rounds
1:      movw    $pattern, %si
        call    read
        movl    $copy_up, %ebx
        call    protected
        addl    $ROUND_SECTORS, pattern + 8
        addl    $ROUND_BYTES, copy_to
        decw    rounds
        jnz     1b
        movl    $check_copy, %ebx
        call    protected
        cmpl    $MAGIC, copy_result
        jne     fail16
        jmp     to_long_mode

# Calls the 32-bit function at %ebx in protected mode, and returns to real mode.
protected:
        ENTER_PROTECTED_MODE
        movzwl  %sp, %esp
        lidt    idt32_pointer
        call    *%ebx
        ljmp    $CODE16, $2f
        .code16
2:      movw    $DATA16, %ax
        DATA_SEGMENTS
        movl    %cr0, %eax
        andl    $0xfffffffe, %eax
        movl    %eax, %cr0
        ljmp    $0, $3f
3:      xorw    %ax, %ax
        DATA_SEGMENTS
        lidt    real_idt_pointer
        sti
        retw

        .code32
in_protected_mode:
        movl    $on_interrupt32, %eax   # a gate of 32 bits
        movw    %ax, IDT32 + 0x30 * 8
        movw    $CODE32, IDT32 + 0x30 * 8 + 2
        movw    $0x8e00, IDT32 + 0x30 * 8 + 4
        shrl    $16, %eax
        movw    %ax, IDT32 + 0x30 * 8 + 6
        int     $0x30
        movl    0x500, %ebx             # line 20 makes these two places
        movl    $MAGIC, HIGH + 0x500
        cmpl    %ebx, 0x500
        jne     1f
        cmpl    $MAGIC, HIGH + 0x500
        jne     1f
        cmpl    $1, interrupts32
        jne     1f
        movl    $MAGIC, protected_result
1:      ret
on_interrupt32:
        incl    interrupts32
        iret

copy_up:
        movl    $BUFFER, %esi
        movl    copy_to, %edi
        movl    $ROUND_BYTES / 4, %ecx
        rep movsl
        ret

check_copy:
        movl    $HIGH, %esi
        xorl    %ecx, %ecx
1:      lodsl
        cmpl    %ecx, %eax
        jne     2f
        incl    %ecx
        cmpl    $ROUNDS * ROUND_BYTES / 4, %ecx
        jb      1b
        movl    $MAGIC, copy_result
2:      ret

# Stage 6: long mode, with paging.

        .code16
to_long_mode:
        STAGE   6
        ENTER_PROTECTED_MODE
        movl    $PML4, %edi
        xorl    %eax, %eax
        movl    $(MAPPED_PAGE + 0x1000 - PML4) / 4, %ecx
        rep stosl
        movl    $PDPT + 3, PML4
        movl    $PD + 3, PDPT           # the first GiB, and the second one, which is the same
        movl    $PD + 3, PDPT + 8
        movl    $0x83, PD               # four MiB in large pages
        movl    $0x200083, PD + 8
        movl    $PT + 3, PD + 16        # and one small page after them
        movl    $MAPPED_PAGE + 3, PT
        movl    $PML4, %eax
        movl    %eax, %cr3
        movl    %cr4, %eax
        orl     $0x20, %eax             # physical address extension
        movl    %eax, %cr4
        movl    $0xc0000080, %ecx       # the register of extended features: long mode
        rdmsr
        orl     $0x100, %eax
        wrmsr
        movl    %cr0, %eax
        orl     $0x80000000, %eax
        movl    %eax, %cr0
        ljmp    $CODE64, $in_long_mode
        .code64
in_long_mode:
        movw    $DATA, %ax
        DATA_SEGMENTS
        movl    $0x7c00, %esp
        movabsq $0x0123456789abcdef, %rbx
        movl    $0x400010, %esi
        movq    %rbx, (%rsi)            # by the small page
        cmpq    %rbx, MAPPED_PAGE + 0x10
        jne     fail64
        movl    $0x40000000 + MAPPED_PAGE + 0x10, %esi
        cmpq    %rbx, (%rsi)            # and by the second GiB
        jne     fail64

# Stage 7: the timer's interrupt in long mode.

        STAGE   7
        movl    $on_timer64, %eax       # a gate of 64 bits
        movl    $IDT64 + 0x20 * 16, %edi
        movw    %ax, (%rdi)
        movw    $CODE64, 2(%rdi)
        movw    $0x8e00, 4(%rdi)
        shrl    $16, %eax
        movw    %ax, 6(%rdi)
        movq    $0, 8(%rdi)
        lidt    idt64_pointer
        movl    $controllers, %esi      # pairs of port and byte
1:      movzbl  (%rsi), %edx
        testb   %dl, %dl
        jz      2f
        movb    1(%rsi), %al
        outb    %al, %dx
        addq    $2, %rsi
        jmp     1b
2:      sti
        hlt
        cmpl    $TICKS, ticks
        jb      2b
        cli
        cmpl    $MAGIC, protected_result
        jne     fail64
        movb    $DONE, stage
fail64:
        movb    stage, %al
        outb    %al, $EXIT_PORT
        cli
        hlt
        jmp     fail64
on_timer64:
        pushq   %rax
        incl    ticks
        movb    $0x20, %al
        outb    %al, $0x20
        popq    %rax
        iretq

# The interrupt controllers: vectors from 0x20 on, and the timer's line alone.
controllers:
        .byte   0x20, 0x11, 0xa0, 0x11, 0x21, 0x20, 0xa1, 0x28, 0x21, 4, 0xa1, 2, 0x21, 1, 0xa1, 1
        .byte   0x21, 0xfe, 0xa1, 0xff, 0, 0

        .balign 8
gdt:    .quad   0
        .quad   0x00cf9a000000ffff      # CODE32
        .quad   0x00cf92000000ffff      # DATA
        .quad   0x00009a000000ffff      # CODE16
        .quad   0x000092000000ffff      # DATA16
        .quad   0x00af9a000000ffff      # CODE64
gdt_pointer:
        .word   . - gdt - 1
        .long   gdt
real_idt_pointer:
        .word   0x3ff
        .long   0
idt32_pointer:
        .word   0x31 * 8 - 1
        .long   IDT32
idt64_pointer:
        .word   0x21 * 16 - 1
        .quad   IDT64
        .balign 8
pattern:                                # a packet, as `rest`
        .word   16, ROUND_SECTORS, 0, BUFFER >> 4
        .quad   PATTERN_SECTOR
copy_to:
        .long   HIGH
rounds: .word   0
interrupts:
        .word   0
interrupts32:
        .long   0
ticks:  .long   0
protected_result:
        .long   0
copy_result:
        .long   0
magic:  .long   MAGIC
end:
