"""words.py TILED STRUCTS NAMES: how lines may go on, asked of the programs as the debugger's
terminal asks them (vgpu/src/debug/wire.h): 'q' with the line so far, 'w' with the words."""
import os
import socket
import struct
import subprocess
import sys

failed = 0


class Program:
    def __init__(self, path):
        self.line, theirs = socket.socketpair()
        os.set_inheritable(theirs.fileno(), True)
        env = dict(os.environ, VGPU_DEBUG=str(theirs.fileno()))
        self.process = subprocess.Popen([path], env=env, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        theirs.close()
        self.until_held()

    def say(self, kind, text):
        self.line.sendall(kind.encode() + struct.pack('<I', len(text)) + text.encode())

    def hear(self):
        head = self.line.recv(5, socket.MSG_WAITALL)
        size = struct.unpack('<I', head[1:])[0]
        return chr(head[0]), self.line.recv(size, socket.MSG_WAITALL).decode() if size else ''

    def until_held(self):
        kind = ''
        while kind != 'p':
            kind, text = self.hear()
            if kind in 'oe':
                self.say('s', '')

    def do(self, *commands):
        for command in commands:
            self.say('c', command)
            self.until_held()

    def goes_on(self, line, *words):
        """Exactly these; a last '...': these and others."""
        global failed
        self.say('q', line)
        kind, text = self.hear()
        found, wanted = text.split(), [w for w in words if w != '...']
        right = set(wanted) <= set(found) if '...' in words else sorted(wanted) == sorted(found)
        if kind != 'w' or not right or len(found) != len(set(found)):
            failed += 1
            print(f'FAIL "{line}" may go on as {found}, not as {wanted}')

    def end(self):
        self.line.close()
        self.process.wait(10)


p = Program(sys.argv[1])
p.goes_on('reverse-s', 'reverse-step')
p.goes_on('break ', 'tiled', 'dot', 'tiled.cu')
p.goes_on('break tiled.cu:14 i', 'if')
p.goes_on('thread ')
p.do('break 29 if threadIdx.x == 2', 'run')
p.goes_on('info wa', 'warps')
p.goes_on('info ', 'breakpoints', 'kernels', 'blocks', 'warps', 'lanes', 'threads', 'locals',
          'shared')
p.goes_on('break 14 if thr', 'threadIdx')
p.goes_on('print s.', 'row', 'col', 'seen')
p.goes_on('print 2*s.s', 'seen')
p.goes_on('print threadIdx.', 'x', 'y', 'z')
p.goes_on('break 14 if blockIdx.x == 1 && blockDim.', 'x', 'y', 'z')
p.goes_on('print s.row.')
p.goes_on('print As[s.ro', 'row')
p.goes_on('print/x s.c', 'col')
p.goes_on('print/')
p.goes_on('print TI', 'TILE')
p.goes_on('thread (2,', '0,0)', '1,0)', '2,0)', '3,0)')
p.goes_on('thread (0,3', '3,0)')
p.goes_on('block ', '(0,0,0)')
p.goes_on('warp ', '0')
p.goes_on('delete ', '1')
p.goes_on('condition 1 s.r', 'row')
p.goes_on('set v', 'var')
p.goes_on('set var s.c', 'col')
p.goes_on('catch ra', 'race')
p.goes_on('frame ', '0')
p.goes_on('help reverse-f', 'reverse-finish')
p.goes_on('list d', 'dot')
p.end()

p = Program(sys.argv[2])
p.do('break 31', 'run')
p.goes_on('print last->', 'row', 'seen', 'is', 'next')
p.goes_on('print last->next->r', 'row')
p.goes_on('print (*p).', 'first', 'whole', 'scale')
p.goes_on('print *p->f', 'first')
p.goes_on('print spots[SIDE].', 'row', 'seen', 'is', 'next')
p.goes_on('print nobody->')
p.goes_on('print GR', 'GREEN')
p.do('break view::sum', 'continue')
p.goes_on('print fi', 'first')
p.end()

p = Program(sys.argv[3])
p.goes_on('break lab::k', 'kernel')
p.goes_on('break k', 'kernel')
p.goes_on('break inner::spot::', 'sum')
p.goes_on('break l', 'lab::kernel', 'lab::twice', 'lab::inner::spot::sum')
p.do('break kernel', 'run', 'next')
p.goes_on('print lab::inner::c', 'calls')
p.goes_on('print s.', 'row', 'column', 'on', 'wide', 'how', 'rest')
p.goes_on('print Conf', 'Config')
p.goes_on('print cal', 'calls')
p.end()
sys.exit(failed != 0)
