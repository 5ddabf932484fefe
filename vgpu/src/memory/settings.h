/*
 * settings.h: the environment variables VGPU_… as the virtual GPU reads them.
 *
 * As a rule a setting is what the environment holds when it is read. A program that is judged must
 * neither change its settings nor learn them: with VGPU_SEALED=1, all that the environment has of
 * VGPU_… is taken out of it before any code of the program runs, constructors too, and what was
 * taken is what counts. The program then finds no such variable, and its own are not looked at.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The value of variable `name` (VGPU_…); NULL when it is unset. The text stays valid as getenv's
 * does. */
const char *vg_setting(const char *name);

/* Takes every VGPU_… out of an environment when VGPU_SEALED=1 is among them, and blots out the
 * texts where they lay. The list is NULL-terminated. Called once, before main, with the process's
 * own. */
void vg_settings_seal(char **environment);

#ifdef __cplusplus
}
#endif
