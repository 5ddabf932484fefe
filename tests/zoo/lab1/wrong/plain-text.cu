Dear course staff,

I could not upload my file; it says "quota exceeded. Please find my solution attached.
It isn't finished, but the kernel works on my machine.
