/* vgpucc_tell.c: see vgpucc_tell.h. */
#include "vgpu/tools/vgpucc_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_command(const args *command) {
    fputs("#$", stderr);
    for (size_t i = 0; i < command->count; i++)
        fprintf(stderr, strpbrk(command->at[i], " \t\"'$()") ? " \"%s\"" : " %s", command->at[i]);
    fputc('\n', stderr);
}

void tell_commands(const options *o, const setup *s) {
    const char *path = getenv("PATH"), *home = s->home;
    fprintf(stderr, "#$ _SPACE_= \n#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n",
            s->toolkit, s->toolkit);
    fprintf(stderr, "#$ PATH=%s/bin:%s\n#$ INCLUDES=\"-I%s\"\n#$ LIBRARIES= \"-L%s/lib\"\n", home,
            path ? path : "", s->include, home);
    for (size_t i = 0; i < o->num_items; i++) {
        args command = {0};
        const link_item *item = &o->items[i];
        if (item->language == LANG_CUDA && !s->cuda.nvcc) {
            fprintf(stderr, "#$ # device pass: -arch compute_80\n");
            device_command(&command, o, s, item->text, default_output(NULL, item->text, "ptx"),
                           false, NULL);
            print_command(&command);
            args_free(&command);
            command = (args){0};
            host_command(&command, o, s, item->text, default_output(NULL, item->text, "ptx"),
                         default_output(NULL, item->text, "o"), NULL);
        } else if (item->language != LANG_NONE && item->language != LANG_CUDA) {
            plain_command(&command, o, s, item, default_output(NULL, item->text, "o"));
        }
        if (command.count > 0)
            print_command(&command);
        args_free(&command);
    }
    if (o->kind != OUTPUT_PROGRAM)
        return;
    fprintf(stderr, "#$ \"%s/bin/vgpucc\" -o \"%s\"", home, o->output ? o->output : "a.out");
    for (size_t i = 0; i < o->num_items; i++)
        fprintf(stderr, " \"%s\"",
                o->items[i].language == LANG_NONE ? o->items[i].text
                                                  : default_output(NULL, o->items[i].text, "o"));
    /* Another linker, such as g++ where CMake links C++ and CUDA, needs these as well. */
    fprintf(stderr, " \"-L%s/lib\" -lvgpu %s\n", home, VGPU_LINK_LIBS);
    fprintf(stderr, "ld -o %s -L%s/lib -lvgpu %s\n", o->output ? o->output : "a.out", home,
            VGPU_LINK_LIBS);
}
