/*
 * print_queue.c: what blocks print appears in the order of the blocks, whichever ends first.
 */
#include "vgpu/src/core/launch_parts.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct print_node {
    struct print_node *next;
    uint64_t block;
    text_buffer text;
} print_node;

void vg_print_now(const vg_launch_params *params, text_buffer *text) {
    if (text->len > 0 && params->print != NULL)
        params->print(params->print_self, text->bytes, text->len);
    else if (text->len > 0)
        fwrite(text->bytes, 1, text->len, stdout);
    free(text->bytes);
    *text = (text_buffer){0};
}

void vg_print_in_order(print_queue *q, uint64_t block_index, text_buffer *text) {
    pthread_mutex_lock(&q->lock);
    if (block_index == q->next_block) {
        vg_print_now(q->params, text);
        q->next_block++;
    } else {
        print_node *node = malloc(sizeof *node);
        if (node == NULL) {
            vg_print_now(q->params, text); /* out of order beats lost */
        } else {
            print_node **at = &q->waiting;
            while (*at != NULL && (*at)->block < block_index)
                at = &(*at)->next;
            *node = (print_node){.next = *at, .block = block_index, .text = *text};
            *at = node;
            *text = (text_buffer){0};
        }
    }
    while (q->waiting != NULL && q->waiting->block == q->next_block) {
        print_node *node = q->waiting;
        q->waiting = node->next;
        vg_print_now(q->params, &node->text);
        free(node);
        q->next_block++;
    }
    pthread_mutex_unlock(&q->lock);
}

void vg_print_rest(print_queue *q) {
    while (q->waiting != NULL) {
        print_node *node = q->waiting;
        q->waiting = node->next;
        vg_print_now(q->params, &node->text);
        free(node);
    }
}
