// @ts-check
/** Sound, vibration and staying awake: all off unless the owner of the phone wants them. */
import { prefs } from "./prefs.js";

/** "It is your turn": public knowledge, so it may be heard. */
export function nudge() {
  if (prefs.buzz) navigator.vibrate?.(60);
  if (prefs.sounds) ring();
}

function ring() {
  const context = new AudioContext();
  const tone = new OscillatorNode(context, { frequency: 660 });
  const volume = new GainNode(context, { gain: 0.08 });
  tone.connect(volume).connect(context.destination);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.25);
  tone.start();
  tone.stop(context.currentTime + 0.25);
  tone.onended = () => context.close();
}

/** Keep the screen on where the browser allows it (https only). */
export function keepAwake() {
  const take = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  take();
  document.addEventListener("visibilitychange", take);
}
