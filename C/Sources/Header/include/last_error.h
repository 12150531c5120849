/* SPDX-License-Identifier: Apache-2.0 */

/* Remembers a thread's last error, for yoloface_last_error: at most 2,001 characters. */
void remember_last_error(const char *message);
