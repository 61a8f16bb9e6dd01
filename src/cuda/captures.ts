/** How many streams of this thread are being captured here. The launch path looks at it. */
export const recording: { active: number } = { active: 0 };
