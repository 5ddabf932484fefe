"""terminal.py edit|plain DEBUGGER PROGRAM: types into the debugger's terminal, and looks at what
comes back. With libedit, lines typed before come again, and Tab ends words that have begun."""
import os
import pty
import re
import select
import sys
import time

pid, fd = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'xterm'
    os.execv(sys.argv[2], sys.argv[2:])
seen = ''


def wait_for(text, keys=None):
    """Reads until the text comes, 20 s at most; then types the keys."""
    global seen
    end = time.time() + 20
    while text not in seen:
        if time.time() > end:
            print(f'no "{text}" in: {seen!r}')
            os.kill(pid, 9)
            sys.exit(1)
        if select.select([fd], [], [], 0.1)[0]:
            try:
                more = os.read(fd, 4096).decode(errors='replace')
            except OSError:
                more = ''
            seen += re.sub(r'\x1b\[[0-9;?]*[a-zA-Z]', '', more)
    seen = seen[seen.index(text) + len(text):]
    if keys is not None:
        os.write(fd, keys.encode())


edit = sys.argv[1] == 'edit'
UP = '\x1b[A'
wait_for('(vgpu) ', 'brea\ttil\t.cu:29 if thr\t.x == 2\n' if edit else
         'break tiled.cu:29 if threadIdx.x == 2\n')
wait_for('Breakpoint 1 at tiled.cu:29', 'run\n')
wait_for('tiled at tiled.cu:29')
wait_for('(vgpu) ', 'print su\t + 1\n' if edit else 'print sum + 1\n')
wait_for('sum + 1 = 1')
wait_for('(vgpu) ', 'reverse-s\t\n' if edit else 'reverse-step\n')
wait_for('tiled at tiled.cu:28')
wait_for('(vgpu) ', '\n')  # an empty line: the step again
wait_for('tiled at tiled.cu:27')
wait_for('(vgpu) ', UP + UP + '\n' if edit else 'print sum + 1\n')
wait_for('sum + 1 = 1')
wait_for('(vgpu) ', 'info loc\t\n' if edit else 'info loc\n')
wait_for('tx = 2')
wait_for('(vgpu) ', 'print 1-s.ro\t\n' if edit else 'print 1-s.row\n')
wait_for('1-s.row = 1')
wait_for('(vgpu) ', 'print 3-threadI\t.x\n' if edit else 'print 3-threadIdx.x\n')
wait_for('3-threadIdx.x = 1')
wait_for('(vgpu) ', 'thread (3\t\n' if edit else 'thread (3,0,0)\n')
wait_for('thread (3,0,0)' if not edit else 'thread (3')
wait_for('(vgpu) ', 'quit\n')
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
